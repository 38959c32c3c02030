/** Bounds the rendered texts of several snapshots together: with one text too many all are dropped and rendered again on demand. */
export class Rendered {
  #characters = 0
  readonly #most: number
  readonly #forget: () => void

  /** `most`: how many characters are held. `forget` drops every text. */
  constructor(most: number, forget: () => void) {
    this.#most = most
    this.#forget = forget
  }

  /** Called before a text of so many characters is held. */
  add(characters: number): void {
    this.#characters += characters
    if (this.#characters <= this.#most) return
    this.#forget()
    this.#characters = characters
  }
}
