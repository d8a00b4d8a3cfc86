// Speech synthesis with voices in two languages that records what is spoken in `globalThis.heard`.
export default () => {
  globalThis.heard = [];
  globalThis.SpeechSynthesisUtterance = function (text) {
    this.text = text;
  };
  const voices = [
    ["Alba", "en-GB"],
    ["Berta", "de-DE"],
    ["Cora", "en-US"],
    ["Dan", "en_GB"],
  ];
  const speechSynthesis = {
    getVoices: () => voices.map(([name, lang]) => ({ name, lang })),
    speak: ({ text, voice }) => globalThis.heard.push([text, voice?.name]),
    cancel: () => undefined,
  };
  Object.defineProperty(globalThis, "speechSynthesis", { value: speechSynthesis });
};
