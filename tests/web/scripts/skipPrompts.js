// Settings without the take-back delay and the question about sound.
export default () => {
  try {
    const stored = JSON.parse(localStorage.getItem("notahat") ?? "{}");
    localStorage.setItem("notahat", JSON.stringify({ takeBack: false, asked: true, ...stored }));
  } catch {
    // a page without storage
  }
};
