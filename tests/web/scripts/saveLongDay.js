// Replace the results of the gifts of the day by longer ones: 29 right decisions and a wrong one.
export default () => {
  const days = JSON.parse(localStorage.getItem("notahat.days"));
  for (const day of Object.values(days)) day.signs = `${"🟩".repeat(29)}🟥`;
  localStorage.setItem("notahat.days", JSON.stringify(days));
};
