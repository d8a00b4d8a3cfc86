// Return the gifts that are named by a list of objects (`this`): all plain objects of the page.
export default function () {
  const valueOf = (object, field) => (Object.hasOwn(object, field) && typeof object[field] === "string" ? [object[field]] : []);
  const gifts = (object) => (object === window ? [] : ["gift", "top", "claim"].flatMap((field) => valueOf(object, field)));
  return JSON.stringify(this.flatMap(gifts));
};
