"""What is told about decks that people make, by every driver of tables alike."""

from notahat.gifts import LANGUAGES, Deck, Own, Word
from notahat.gifts.grammar import shown
from notahat.gifts.hat_file import check_word
from notahat.table.events import DeckPut, decode
from notahat.wire.messages import AskLines, DeckTold, LinesTold, OwnTold, write


def told_in(entry: bytes) -> bytes | None:
    """The deck that came with an entry of a table's log; None if none did."""
    decks = (event.deck for event in decode(entry).events if isinstance(event, DeckPut))
    deck = next(decks, None)
    return None if deck is None else write(told(deck))


def told(deck: Deck) -> DeckTold:
    """What everybody may know of a deck: its gifts in an order that tells nothing about their arrows. An own gift's key
    is made of its picture and words, so that its place says nothing of how the maker went through the deck.
    """
    gifts = tuple(sorted(card.gift for card in deck.cards))
    return DeckTold(deck.name, gifts, tuple(_own(gift, deck) for gift in sorted(deck.own, key=lambda own: own.key)))


def lines_told(asked: AskLines) -> LinesTold:
    """What people will say of an own gift, for whoever makes a deck; raises `Illegal` where grammar cannot."""
    check_word(asked.word, asked.lang, "this word")
    return LinesTold(*shown(asked.word, asked.lang)[1:])


def _own(gift: Own, deck: Deck) -> OwnTold:
    lang = {one: gift.spoken(one, deck.language) for one in LANGUAGES}
    words = {one: _words(gift.words[spoken], spoken) for one, spoken in lang.items()}
    return OwnTold(gift.key, gift.kind, gift.picture, words, lang)


def _words(word: Word, lang: str) -> tuple[str, str, str, str, tuple[str, ...], tuple[str, ...]]:
    return (*shown(word, lang), word.synonyms, ())
