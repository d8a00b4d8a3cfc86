// Return whether a remark is shown that covers only the edge of its player's box: hair and hats begin right below it.
export default () => {
  const bubble = document.querySelector("li .bubble");
  return (
    bubble !== null && bubble.getBoundingClientRect().bottom <= bubble.parentElement.getBoundingClientRect().top + 5
  );
};
