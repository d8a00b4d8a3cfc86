// Return the size of the saved memory of Python; replace it if a text is given.
export default async (text) => {
  const cache = await caches.open("notahat /games/hat/ pocket");
  const key = (await cache.keys()).find(({ url }) => url.endsWith("/started.memory"));
  const size = key ? (await (await cache.match(key)).blob()).size : 0;
  if (text) await cache.put(key, new Response(text));
  return size;
};
