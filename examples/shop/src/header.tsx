import { useClient, useSnapshot } from '@contentflow/sdk/react'
import { useEffect, useState } from 'react'
import { Icon } from './icons.tsx'
import { remember, rememberedTheme } from './remembered.ts'
import type { Route } from './route.ts'
import { Tabs } from './tabs.tsx'
import { useText } from './use-text.ts'

export function Header({ route }: { route: Route }) {
  const client = useClient()
  const { status, blocks } = useSnapshot()
  const { t, own, locale } = useText()
  const [theme, setTheme] = useState(rememberedTheme)

  useEffect(() => {
    if (theme) document.documentElement.dataset['cfTheme'] = theme
    remember('theme', theme)
  }, [theme])

  const other = locale === 'ar' ? 'en' : 'ar'
  const switchLanguage = () => {
    remember('locale', other)
    client.setLocale(other)
  }
  const switchTheme = () => {
    const isDark = theme ? theme === 'dark' : matchMedia('(prefers-color-scheme: dark)').matches
    setTheme(isDark ? 'light' : 'dark')
  }
  return (
    <header className="header">
      {status === 'offline' && blocks.length > 0 && (
        <p className="offline" role="status">
          {t('app.offline')}
        </p>
      )}
      <div className="header-row">
        <a className="brand" href="#/">
          <img src={`${import.meta.env.BASE_URL}images/icon.svg`} alt="" width="34" height="34" />
          {locale === 'ar' ? 'سوق لين' : 'Souq Lane'}
        </a>
        <Tabs route={route} className="header-tabs" />
        <div className="header-tools">
          <button type="button" className="tool" onClick={switchLanguage} lang={other}>
            {own('language')}
          </button>
          <button type="button" className="tool tool--icon" aria-label={own('theme')} onClick={switchTheme}>
            <Icon name="moon" />
          </button>
        </div>
      </div>
    </header>
  )
}
