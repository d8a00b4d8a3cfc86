// Return a data transfer that holds a .hat file.
export default (text) => {
  const transfer = new DataTransfer();
  transfer.items.add(new File([text], "ours.hat"));
  return transfer;
};
