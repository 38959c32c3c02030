import { useMemo } from 'react'
import type { MailDocument } from '@contentflow/core/mail/document.ts'
import { useBrand } from '../api.ts'
import { previewHtml } from '../editor/preview/preview-html.ts'
import { useSample } from '../editor/preview/use-sample.ts'
import classes from './start.module.css'

/** Pixels: of the mail, and of the picture of its head. */
const [WIDTH, SHOWN, HEIGHT] = [600, 220, 240]

/** The head of a mail, small; what it is called stands beside it. */
export function MailThumbnail({ document, locale, name }: { document: MailDocument; locale: string; name: string }) {
  const sample = useSample(document, locale, name, useBrand() ?? null, 'https://example.com')
  const page = useMemo(() => previewHtml(sample.html, 'light', true), [sample.html])
  const scale = SHOWN / WIDTH
  return (
    <div className={classes.thumbnail} style={{ blockSize: HEIGHT }} aria-hidden>
      <iframe
        title={sample.subject}
        sandbox=""
        srcDoc={page}
        loading="lazy"
        tabIndex={-1}
        style={{ inlineSize: WIDTH, blockSize: HEIGHT / scale, transform: `scale(${scale})` }}
      />
    </div>
  )
}
