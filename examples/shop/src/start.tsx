import { createClient, type Client } from '@contentflow/sdk'
import { useCallback, useEffect, useState } from 'react'
import { App } from './app.tsx'
import { loadConfig, type ShopConfig } from './load-config.ts'
import { rememberedLocale } from './remembered.ts'
import { OWN_TEXTS } from './own-texts.ts'

type Starting = { state: 'asking' } | { state: 'failed'; error: unknown } | { state: 'ready'; client: Client; config: ShopConfig }

/** Asks where the content is and makes the client. Without an answer there is nothing to show, and the page says so. */
export function Start() {
  const [starting, setStarting] = useState<Starting>({ state: 'asking' })
  const ask = useCallback(() => {
    setStarting({ state: 'asking' })
    loadConfig().then(
      (config) => {
        const client = createClient({ ...config, locale: rememberedLocale(), platform: 'web' })
        setStarting({ state: 'ready', client, config })
      },
      (error: unknown) => setStarting({ state: 'failed', error }),
    )
  }, [])
  useEffect(ask, [ask])

  if (starting.state === 'ready') return <App client={starting.client} config={starting.config} />
  const locale = rememberedLocale()
  const texts = OWN_TEXTS[locale]
  return (
    <main className="state" lang={locale} dir={locale === 'ar' ? 'rtl' : 'ltr'} aria-busy={starting.state === 'asking'}>
      <img src={`${import.meta.env.BASE_URL}images/icon.svg`} alt="" width="56" height="56" />
      {starting.state === 'asking' ? (
        <p>{texts.opening}</p>
      ) : (
        <>
          <h1>{texts.closedTitle}</h1>
          <p>{texts.closedBody}</p>
          <p className="state-reason">{String(starting.error)}</p>
          <button type="button" className="button" onClick={ask}>
            {texts.retry}
          </button>
        </>
      )}
    </main>
  )
}
