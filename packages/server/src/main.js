/**
 * The entry. Compiled code is kept from one start to the next: it takes less memory and half the time. In JavaScript, so that
 * Node's reader of TypeScript, 12 MB of memory, is loaded only for files that are not kept yet.
 */
import { enableCompileCache, flushCompileCache } from 'node:module'
import { fileURLToPath } from 'node:url'

// Not the system's temporary folder, where others may write; where this one cannot be written all is compiled anew.
enableCompileCache(fileURLToPath(new URL('../../../node_modules/.cache/contentflow', import.meta.url)))
// Only now, so that everything it loads is found there.
await import('./serve.ts')
flushCompileCache()
