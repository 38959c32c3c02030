/** A reporter that names the files of run-together.mjs that passed, a line each. */
export default async function* passedFiles(events) {
  for await (const { type, data } of events) if (type === 'test:pass' && data.nesting === 0) yield `${data.name}\n`
}
