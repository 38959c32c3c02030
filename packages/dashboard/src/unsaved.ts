/** Whether this tab holds something typed that is not stored: of pages that say so, and of windows that are open. */

const owners = new Set<object>()
let isGivenUp = false

export function noteUnsaved(owner: object, isDirty: boolean): void {
  if (isDirty) {
    isGivenUp = false
    owners.add(owner)
  } else owners.delete(owner)
}

export function hasUnsaved(): boolean {
  return owners.size > 0 || document.querySelector('[aria-modal] :is(input, textarea)') !== null
}

/** Somebody chose to leave without it: no page asks again. */
export function giveUpUnsaved(): void {
  isGivenUp = true
  owners.clear()
}

/** The page anew, for whoever is signed in now; what was typed is only in what the browser keeps for its member. */
export function reopen(): void {
  giveUpUnsaved()
  location.reload()
}

export function isUnsavedGivenUp(): boolean {
  return isGivenUp
}
