// Return what the action bar offers now.
export default () => {
  const bar = document.querySelector("[data-actions]");
  if (!bar || document.querySelector("dialog[open]")) return [];
  const actions = { go_on: "on", draw: "draw", ready: "ready", give: "give", accept: "answer" };
  return Object.keys(actions)
    .filter((name) => bar.querySelector(`[data-do=${name}]`))
    .map((name) => actions[name]);
};
