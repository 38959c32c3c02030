/** No script, no form, no frame; what it is drawn with stands in it, and pictures come from the web. */
const POLICY = `<meta http-equiv="Content-Security-Policy" content="default-src 'none'; img-src https: http:; style-src 'unsafe-inline'">`

/** A mail with HTML that somebody brought: a page of its own, which shares nothing with this one and runs nothing. */
export function HtmlFrame({ html, title, theme }: { html: string; title: string; theme: 'light' | 'dark' }) {
  return (
    <iframe
      sandbox=""
      title={title}
      srcDoc={html.replace('<head>', `<head>${POLICY}`)}
      style={{
        display: 'block',
        inlineSize: '100%',
        blockSize: 640,
        border: 0,
        background: '#fff',
        ...(theme === 'dark' && { filter: 'invert(0.92) hue-rotate(180deg)' }),
      }}
    />
  )
}
