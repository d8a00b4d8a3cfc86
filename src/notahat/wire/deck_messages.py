"""Messages about decks that people make, the same for every driver."""

from notahat.gifts import LANGUAGES, Deck, Own, Word
from notahat.gifts.grammar import display_texts
from notahat.gifts.hat_file import check_word
from notahat.table.events import DeckPut, decode
from notahat.wire.messages import AskLines, DeckContents, OwnContents, SpokenLines, encode_message


def deck_message_in(entry: bytes) -> bytes | None:
    """Return the encoded deck of a log entry, or None if it brought none."""
    decks = (event.deck for event in decode(entry).events if isinstance(event, DeckPut))
    deck = next(decks, None)
    return None if deck is None else encode_message(deck_message(deck))


def deck_message(deck: Deck) -> DeckContents:
    """Return what players may know of a deck, sorted by key so that the order reveals nothing about arrows.

    The key of an own gift is a hash of its picture and words, so it does not reveal the order in the file either.
    """
    gifts = tuple(sorted(card.gift for card in deck.cards))
    return DeckContents(deck.name, gifts, tuple(_own(gift, deck) for gift in sorted(deck.own, key=lambda own: own.key)))


def lines_message(request: AskLines) -> SpokenLines:
    """Return the spoken lines of a word. Raise `Illegal` if its grammar is incomplete."""
    check_word(request.word, request.lang, "this word")
    return SpokenLines(*display_texts(request.word, request.lang)[1:])


def _own(gift: Own, deck: Deck) -> OwnContents:
    spoken = {lang: gift.spoken(lang, deck.language) for lang in LANGUAGES}
    words = {lang: _texts(gift.words[of], of) for lang, of in spoken.items()}
    return OwnContents(gift.key, gift.kind, gift.picture, words, spoken)


def _texts(word: Word, lang: str) -> tuple[str, str, str, str, tuple[str, ...], tuple[str, ...]]:
    return (*display_texts(word, lang), word.synonyms, ())
