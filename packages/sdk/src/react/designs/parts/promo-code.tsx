import { useEffect, useState } from 'react'
import { useSettings } from '../design-settings.ts'
import { Icon } from './icon.tsx'
import { wordOf } from '../reading/words.ts'

/** A code to be copied by one press. Without a clipboard it stays selectable text. */
export function PromoCode({ code }: { code: string | undefined }) {
  const { locale, words } = useSettings()
  const [isCopied, setCopied] = useState(false)
  useEffect(() => {
    if (!isCopied) return undefined
    const timer = setTimeout(() => setCopied(false), 2500)
    return () => clearTimeout(timer)
  }, [isCopied])
  if (code === undefined) return undefined
  const copy = () =>
    navigator.clipboard?.writeText(code).then(
      () => setCopied(true),
      // Refused by the browser: the code can still be selected by hand.
      () => setCopied(false),
    )
  return (
    <span className="cf-promo-code">
      <bdi className="cf-promo-code-text">{code}</bdi>
      <button type="button" className="cf-promo-code-copy" aria-label={wordOf('copy', locale, words)} onClick={() => void copy()}>
        <Icon name={isCopied ? 'check' : 'copy'} />
      </button>
      <span className="cf-hidden" role="status">
        {isCopied ? wordOf('copied', locale, words) : ''}
      </span>
    </span>
  )
}
