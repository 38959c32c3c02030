/** As far as the tests need it. */
declare module 'jsdom' {
  export class JSDOM {
    constructor(html: string, options: { url: string; pretendToBeVisual: boolean })
    // oxlint-disable-next-line typescript/no-explicit-any
    readonly window: any
  }
}
