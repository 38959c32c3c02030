/** The look of `/docs`, in the colours of the system, light and dark. */
export const STYLE = `
:root { color-scheme: light dark; --line: color-mix(in srgb, currentColor 18%, transparent); --edge: color-mix(in srgb, currentColor 55%, transparent); --soft: color-mix(in srgb, currentColor 6%, transparent) }
body { margin: 0; font: 16px/1.55 system-ui, sans-serif; display: grid; grid-template-columns: 13rem minmax(0, 1fr) }
nav { position: sticky; top: 0; align-self: start; height: 100vh; overflow: auto; padding: 1.5rem 1rem; box-sizing: border-box; border-inline-end: 1px solid var(--line); display: flex; flex-direction: column; gap: .35rem }
nav a { color: inherit; text-decoration: none; padding: .15rem .4rem; border-radius: 4px } nav a:hover, nav a:focus-visible { background: var(--soft) }
main { padding: 1.5rem 2.5rem 4rem; max-width: 62rem }
h1 { margin-top: 0 } h2 { margin-top: 2.5rem } h3 { margin: 1.2rem 0 .3rem; font-size: 1rem } h4 { margin: .8rem 0 .2rem; font-size: .9rem }
details { border: 1px solid var(--line); border-radius: 8px; margin: .5rem 0 } details > div { padding: 0 1rem 1rem }
summary:focus-visible, a:focus-visible, button:focus-visible, input:focus-visible { outline: 2px solid currentColor; outline-offset: 2px }
summary { cursor: pointer; padding: .55rem 1rem; display: flex; flex-wrap: wrap; gap: .6rem; align-items: baseline } summary:hover { background: var(--soft) } summary span { opacity: .8 }
code, pre { font: .86em/1.5 ui-monospace, monospace } .method { font-weight: 700; min-width: 4rem } .GET { color: #16794c } .POST { color: #1d5fc4 } .PUT, .PATCH { color: #9a5b00 } .DELETE { color: #b3261e }
pre { background: var(--soft); padding: .8rem; border-radius: 6px; overflow: auto; max-height: 24rem; margin: .3rem 0 }
button, input, textarea { font: inherit; color: inherit } button { padding: .3rem .9rem; border: 1px solid var(--line); border-radius: 6px; background: var(--soft); cursor: pointer } button:disabled { opacity: .5; cursor: default }
.try { border-top: 1px solid var(--line); margin-top: 1rem; display: flex; flex-direction: column; gap: .6rem } .try > p, .try > h4 { margin: 0 } .try h3 { margin: 1rem 0 0 }
.try label { display: flex; flex-direction: column; gap: .2rem; font-size: .9rem } .try input, .try textarea { padding: .35rem .5rem; border: 1px solid var(--line); border-radius: 6px; background: transparent; font: .86em/1.5 ui-monospace, monospace } .buttons { display: flex; gap: .6rem; align-items: center } .answer pre { white-space: pre-wrap; overflow-wrap: anywhere }
main a { color: inherit } .said p { max-width: 46rem } .address { font-size: .9rem } [hidden] { display: none !important }
#find { position: sticky; top: 0; z-index: 1; background: Canvas; padding: .6rem 0; display: grid; gap: .3rem } #find input { padding: .5rem .7rem; border: 1px solid var(--edge); border-radius: 8px; background: transparent; width: 100%; box-sizing: border-box } #find p { margin: 0; font-size: .9rem; min-height: 1.4em }
details:target { outline: 2px solid currentColor } details.route, .group, #begin { scroll-margin-top: 7.5rem }
table { border-collapse: collapse; width: 100% } th, td { text-align: start; padding: .3rem .5rem; border-bottom: 1px solid var(--line); vertical-align: top } code, td { overflow-wrap: anywhere } .parameters td:nth-child(2) { overflow-wrap: normal }
@media (prefers-color-scheme: dark) { .GET { color: #6fd3a3 } .POST { color: #8ab8ff } .PUT, .PATCH { color: #f0b35a } .DELETE { color: #ff8f86 } }
@media (max-width: 720px) { body { display: block } nav { position: static; height: auto; max-height: 9.5rem; flex-direction: row; flex-wrap: wrap; padding: .8rem 1rem; border: 0; border-bottom: 1px solid var(--line) } main { padding: 1rem } }
`
