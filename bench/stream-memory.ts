/** Reads one long guarded stream in a process of its own, and tells how far its memory grew: `<url of the stream>`. */
import { meetStream, readGuarded } from './stream-reader.ts';

const url = process.argv[2] ?? '';
const warmUpUrl = url.replace(/\d+$/, '2000');
await readGuarded(await meetStream(warmUpUrl));
const agent = await meetStream(url);
const before = process.memoryUsage().rss;
let peak = before;
const timer = setInterval(() => {
  peak = Math.max(peak, process.memoryUsage().rss);
}, 5);
await readGuarded(agent);
clearInterval(timer);
process.send?.(Math.max(peak, process.memoryUsage().rss) - before);
process.disconnect?.();
