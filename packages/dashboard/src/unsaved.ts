/** Knows whether this tab holds typed text that is not stored: pages report it, and open windows count. */

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

/** The member chose to leave without saving: no page asks again. */
export function giveUpUnsaved(): void {
  isGivenUp = true
  owners.clear()
}

/** Loads the page anew for the user who is signed in now; the other user's text is only in what the browser keeps for them. */
export function reopen(): void {
  giveUpUnsaved()
  location.reload()
}

export function isUnsavedGivenUp(): boolean {
  return isGivenUp
}
