// Keep every audio context of the page in `globalThis.audioContexts`; `before` is the state without a touch.
export default () => {
  globalThis.before = new AudioContext().state;
  globalThis.audioContexts = [];
  globalThis.AudioContext = class extends AudioContext {
    constructor() {
      super();
      globalThis.audioContexts.push(this);
    }
  };
};
