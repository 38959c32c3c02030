/** Keeps one core busy until whoever started it ends. */
process.once('disconnect', () => process.exit())
burn()

function burn() {
  for (const end = Date.now() + 50; Date.now() < end;);
  setImmediate(burn)
}
