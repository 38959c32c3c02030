/** Colours hold at least 4.5:1 in the light and in the dark. */
export const STYLES = `
:host { all: initial; position: fixed; inset: auto 12px 12px auto; z-index: 2147483000; color-scheme: light dark }
* { box-sizing: border-box; font: 12px/1.45 ui-monospace, Menlo, Consolas, monospace }
button { display: block; margin-inline-start: auto; padding: 6px 12px; border: 1px solid #0b5; border-radius: 999px; background: #053b26; color: #fff; cursor: pointer }
button:focus-visible, [role=log]:focus-visible { outline: 3px solid #2f7df6; outline-offset: 2px }
section { width: min(560px, calc(100vw - 24px)); max-height: min(70vh, 640px); margin-block-end: 8px; padding: 12px; overflow: auto; border: 1px solid #8a8f98; border-radius: 10px; background: light-dark(#fff, #16181d); color: light-dark(#16181d, #f1f3f6); box-shadow: 0 8px 30px #0004 }
:host { display: flex; flex-direction: column-reverse }
section[hidden] { display: none }
h2 { margin: 0 0 8px; font-size: 14px; font-weight: 700 }
h3 { margin: 12px 0 4px; font-weight: 700 }
dl { display: grid; grid-template-columns: max-content 1fr; gap: 2px 12px; margin: 0 }
dt { color: light-dark(#565c66, #a9b0bb) }
dd { margin: 0; overflow-wrap: anywhere }
table { width: 100%; border-collapse: collapse }
th, td { padding: 2px 8px 2px 0; text-align: start; vertical-align: top; overflow-wrap: anywhere }
th { font-weight: 700 }
p, ul, ol { margin: 0; padding: 0; list-style: none }
[role=log] { max-height: 180px; overflow: auto; border: 1px solid #8a8f98; border-radius: 6px; padding: 6px }
li { white-space: pre-wrap; overflow-wrap: anywhere }
`
