/** Finds routes of `/docs` by words, and opens the one that the address of the page names. */

type Shown = { details: HTMLDetailsElement; words: string }

const routes = [...document.querySelectorAll<HTMLDetailsElement>('details.route')].map((details): Shown => {
  const parts = details.querySelectorAll(':scope > summary, .said, .codes, .address code')
  return {
    details,
    words: [...parts]
      .map((part) => part.textContent)
      .join(' ')
      .toLowerCase(),
  }
})
const groups = [...document.querySelectorAll<HTMLElement>('.group')]

/** Hides what does not have every word; a path is a word. Says how many are left. */
function find(typed: string): string {
  const words = typed.toLowerCase().split(/\s+/).filter(Boolean)
  let found = 0
  for (const { details, words: text } of routes) {
    const isFound = words.every((word) => text.includes(word))
    details.hidden = !isFound
    if (isFound) found++
  }
  for (const group of groups) group.hidden = words.length > 0 && !group.querySelector('details.route:not([hidden])')
  return words.length === 0 ? '' : `${found} of ${routes.length}`
}

function openAddressed(): void {
  const named = document.getElementById(decodeURIComponent(location.hash.slice(1)))
  if (!(named instanceof HTMLDetailsElement)) return
  if (named.hidden) clear()
  named.open = true
  named.scrollIntoView()
  named.querySelector('summary')?.focus({ preventScroll: true })
}

const form = document.querySelector<HTMLFormElement>('#find')
const input = form?.querySelector('input')
const status = document.querySelector('#found')

function clear(): void {
  if (input) input.value = ''
  if (status) status.textContent = find('')
}

/** To be called once. */
export function offerFinding(): void {
  if (!form || !input || !status) return
  form.hidden = false
  input.addEventListener('input', () => (status.textContent = find(input.value)))
  form.addEventListener('submit', (event) => {
    event.preventDefault()
    const first = routes.find(({ details }) => !details.hidden)?.details
    if (first) location.hash = first.id
  })
  document.addEventListener('keydown', (event) => {
    const isTyping = event.target instanceof HTMLInputElement || event.target instanceof HTMLTextAreaElement
    if (event.key !== '/' || isTyping || event.ctrlKey || event.metaKey || event.altKey) return
    event.preventDefault()
    input.focus()
  })
  // The address of what is read, so that it survives a reload and can be passed on.
  for (const { details } of routes)
    details.addEventListener('toggle', () => {
      if (details.open && location.hash !== `#${details.id}`) history.replaceState(null, '', `#${details.id}`)
    })
  window.addEventListener('hashchange', openAddressed)
  openAddressed()
}
