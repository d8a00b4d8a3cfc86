// Return the full and the remaining duration of the patience bar.
export default () => {
  const effect = document.querySelector(".patience .line")?.getAnimations()[0]?.effect;
  if (!effect) return [0, Infinity];
  const { duration } = effect.getTiming();
  return [duration / Number(/[0-9.]+/.exec(effect.getKeyframes()[0].transform)[0]), duration];
};
