// Keep the decisions of a game in which every gift was named rightly long after it was seen.
export default () => {
  const named = {
    step: 1,
    kind: "named",
    right: true,
    ago: 30,
    passes: 3,
    took: 2,
    gift: "kite",
    claim: "kite",
    believed: true,
  };
  localStorage.setItem("notahat.memory", JSON.stringify([{ at: "K7QX.1", done: Array(60).fill(named) }]));
};
