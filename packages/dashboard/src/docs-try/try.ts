/**
 * Lets routes of `/docs` be found, and requests be sent from it: to this server alone, with credentials that this tab keeps until it is closed.
 * The page works without it. Answers are always shown as text.
 */
import { cutText } from '@contentflow/core/cut-text.ts'
import { offerFinding } from './find.ts'
import { askedFor, bodyTypeOf, buildRequest, curlOf, fieldOf, SESSION, type Operation, type Parameter, type Scheme } from './request.ts'

type Reference = {
  paths: Record<string, Record<string, Operation>>
  components: { securitySchemes: Record<string, Scheme> }
}
/** Characters of an answer that are shown. */
const SHOWN = 200_000
const STORED = 'cf.docs.'

let reference: Promise<Reference> | undefined
async function load(): Promise<Reference> {
  const answer = await fetch('/api/v1/openapi.json')
  if (!answer.ok) throw new Error(`The description of the API is not there (${answer.status})`)
  return (await answer.json()) as Reference
}

for (const details of document.querySelectorAll<HTMLDetailsElement>('details[data-path]'))
  details.addEventListener('toggle', () => offer(details), { once: true })
offerFinding()

function offer(details: HTMLDetailsElement): void {
  const [button, said] = [make('button', { type: 'button' }, 'Try it'), make('p', { role: 'status' })]
  button.addEventListener('click', () => {
    reference ??= load()
    reference.then(
      (loaded) => {
        const form = formOf(details.dataset['method'] ?? '', details.dataset['path'] ?? '', loaded)
        button.replaceWith(form)
        said.remove()
        form.querySelector<HTMLElement>('input, textarea, button')?.focus()
      },
      (error: unknown) => {
        reference = undefined
        said.textContent = wordsOf(error)
      },
    )
  })
  details.lastElementChild?.append(button, said)
}

function formOf(method: string, path: string, { paths, components }: Reference): HTMLElement {
  const operation = paths[path]?.[method] ?? {}
  const schemes = new Map(Object.entries(components.securitySchemes))
  const credentials = askedFor(operation, schemes).map((name) => credentialField(name, schemes.get(name)))
  const values = (operation.parameters ?? []).map(parameterField)
  const body = bodyTypeOf(operation) === undefined ? undefined : bodyField(operation)
  const form = make('form', { class: 'try', 'aria-label': `Try ${method.toUpperCase()} ${path}` })
  const [send, stop] = [make('button', {}, 'Send'), make('button', { type: 'button', disabled: '' }, 'Stop')]
  const curl = make('pre', { tabindex: '0', 'aria-label': 'The same with curl' })
  const answer = make('div', { class: 'answer' })
  const typed = () =>
    buildRequest(method, path, operation, schemes, {
      values: new Map(values.map(({ name, input }) => [name, input.value])),
      credentials: new Map(credentials.map(({ name, input }) => [name, input.value.trim()])),
      body: body?.input.value ?? '',
    })
  const show = () => {
    curl.textContent = curlOf(typed(), location.origin)
  }
  let ending = new AbortController()
  form.addEventListener('input', show)
  stop.addEventListener('click', () => ending.abort())
  form.addEventListener('submit', (event) => {
    event.preventDefault()
    ending = new AbortController()
    send.disabled = true
    stop.disabled = false
    void sendTo(answer, typed(), ending.signal).finally(() => {
      send.disabled = false
      stop.disabled = true
    })
  })
  const fields = [...credentials, ...values, ...(body ? [body] : [])].map(({ label }) => label)
  form.append(make('h3', {}, 'Try it'), make('p', {}, 'It is carried out on this server.'), ...fields)
  form.append(make('p', { class: 'buttons' }, send, stop), answer, make('h4', {}, 'The same with curl'), curl, ...copyButton(curl))
  show()
  return form
}

type Field = { name: string; label: HTMLLabelElement; input: HTMLInputElement | HTMLTextAreaElement }

function credentialField(name: string, scheme: Scheme | undefined): Field {
  const said = name === SESSION ? 'Token; empty: your session in the dashboard' : scheme?.type === 'apiKey' ? scheme.name : name
  const input = make('input', { type: name === 'tenant' ? 'text' : 'password', autocomplete: 'off', spellcheck: 'false' })
  input.value = sessionStorage.getItem(STORED + name) ?? ''
  input.addEventListener('input', () => sessionStorage.setItem(STORED + name, input.value.trim()))
  return { name, label: make('label', {}, said, input), input }
}

function parameterField(parameter: Parameter): Field {
  const { name, in: place, required = false, schema = {} } = parameter
  const input = make('input', { autocomplete: 'off', spellcheck: 'false', ...(required && { required: '' }) })
  if (schema.default !== undefined) input.placeholder = textOf(schema.default)
  return { name: fieldOf(parameter), label: make('label', {}, `${name} (${place}${required ? ', required' : ''})`, input), input }
}

function bodyField(operation: Operation): Field {
  const type = bodyTypeOf(operation) ?? ''
  const example = operation.requestBody?.content[type]?.example
  const input = make('textarea', { rows: '8', spellcheck: 'false' })
  input.value = example === undefined ? '' : textOf(example)
  return { name: 'body', label: make('label', {}, `Body (${type})`, input), input }
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value, null, 2)
}

function copyButton(from: HTMLElement): HTMLElement[] {
  // Browsers have no clipboard for pages that came unencrypted.
  if (!navigator.clipboard) return []
  const [button, said] = [make('button', { type: 'button' }, 'Copy curl'), make('span', { role: 'status' })]
  button.addEventListener('click', () => {
    navigator.clipboard.writeText(from.textContent ?? '').then(
      () => (said.textContent = 'Copied'),
      () => (said.textContent = 'Not copied'),
    )
  })
  return [make('p', { class: 'buttons' }, button, said)]
}

async function sendTo(place: HTMLElement, request: ReturnType<typeof buildRequest>, signal: AbortSignal): Promise<void> {
  const [status, headers, body] = [
    make('p', { role: 'status' }, 'Sending…'),
    make('pre', { tabindex: '0', 'aria-label': 'Headers of the answer' }),
    make('pre', { tabindex: '0', 'aria-label': 'Body of the answer' }),
  ]
  place.replaceChildren(status)
  const started = performance.now()
  try {
    const answer = await fetch(request.path, {
      method: request.method,
      headers: request.headers.map(({ name, value }) => [name, value] as [string, string]),
      ...(request.body !== undefined && { body: request.body }),
      cache: 'no-store',
      signal,
    })
    status.textContent = `${answer.status} ${answer.statusText} · ${Math.round(performance.now() - started)} ms`
    headers.textContent = [...answer.headers].map(([name, value]) => `${name}: ${value}`).join('\n')
    place.append(headers, body)
    await showBody(answer, body)
  } catch (error) {
    if (signal.aborted) status.textContent = `${status.textContent ?? ''} · stopped`
    else status.textContent = `Nothing came back: ${wordsOf(error)}`
  }
}

/** Shows the body as it arrives, because a stream has no end. */
async function showBody(answer: Response, place: HTMLElement): Promise<void> {
  const type = answer.headers.get('content-type') ?? ''
  if (!/json|text|xml|^$/.test(type)) {
    place.textContent = `${(await answer.arrayBuffer()).byteLength} bytes of ${type}`
    return
  }
  let text = ''
  const reader = answer.body?.pipeThrough(new TextDecoderStream()).getReader()
  for (let read = await reader?.read(); read && !read.done; read = await reader?.read()) {
    text += read.value
    place.textContent = cutText(text, SHOWN)
    if (text.length > SHOWN) {
      place.textContent += '\n… and more'
      return void reader?.cancel()
    }
  }
  if (type.includes('json')) place.textContent = cutText(indented(text), SHOWN)
}

/** A body that is no JSON stays as it came. */
function indented(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2)
  } catch {
    return text
  }
}

function wordsOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}

function make<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  attributes: Record<string, string>,
  ...inside: (Node | string)[]
): HTMLElementTagNameMap[Name] {
  const element = document.createElement(name)
  for (const [attribute, value] of Object.entries(attributes)) element.setAttribute(attribute, value)
  element.append(...inside)
  return element
}
