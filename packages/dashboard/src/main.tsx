import '@fontsource-variable/inter'
import '@fontsource-variable/noto-sans-arabic'
import '@mantine/core/styles.css'
import '@mantine/notifications/styles.css'
import './main.css'
import { DirectionProvider, MantineProvider } from '@mantine/core'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { lazy, StrictMode, Suspense, useEffect, useMemo, type ReactNode } from 'react'
import { createRoot } from 'react-dom/client'
import { RouterProvider } from 'react-router'
import { ApiError, whenReauthenticating, whenShut, whenSignedOut } from './api.ts'
import { whenBack } from './away.ts'
import { Notices } from './frame/notices.tsx'
import { loadTexts } from './i18n.ts'
import { router } from './router.tsx'
import { askToReenter, reentered, useReentering } from './reenter.ts'
import { ME, ME_QUERY, watchOtherTabs, type Me } from './session.tsx'
import { themeWith, variables } from './theme.ts'
import { useTexts } from './ui/texts.ts'
import { hasUnsaved, reopen } from './unsaved.ts'

const client = new QueryClient({
  defaultOptions: {
    // Without a connection requests fail at once and say so, rather than wait silently.
    mutations: { networkMode: 'always' },
    queries: {
      networkMode: 'always',
      staleTime: 5_000,
      // A refused request would be refused again; a server that is away is reported at once, and away.ts asks for it.
      retry: (failures, error) => failures < 2 && !(error instanceof ApiError && (error.isAway || error.status < 500)),
    },
  },
})

function App() {
  const t = useTexts()
  const close = t('close')
  const theme = useMemo(() => themeWith({ close }), [close])
  useEffect(() => {
    const leave = () => {
      client.setQueryData(ME, null)
      client.removeQueries({ predicate: ({ queryKey }) => queryKey !== ME })
      const from = location.pathname + location.search
      void router.navigate(from.startsWith('/login') ? '/login' : `/login?from=${encodeURIComponent(from)}`, { replace: true })
    }
    /** Signs in again over the page, where something could be lost; otherwise on the sign-in page. */
    const reenter = async (isWriting: boolean) => {
      if (client.getQueryData(ME) && (isWriting || hasUnsaved())) return askToReenter()
      leave()
      return false
    }
    whenSignedOut(reenter)
    whenReauthenticating(() => askToReenter('long-ago'))
    whenShut(() => void client.invalidateQueries({ queryKey: ME }))
    whenBack(() => void client.invalidateQueries())
    watchOtherTabs(
      () => void reenter(false),
      (userId) => {
        const me = client.getQueryData<Me>(ME)
        if (!me || me.user.userId === userId) return reentered(true)
        // Later requests of this page would be sent as somebody else, so the page is loaded anew.
        reopen()
      },
    )
  }, [])
  return (
    <DirectionProvider>
      <MantineProvider theme={theme} cssVariablesResolver={variables} defaultColorScheme="auto">
        <QueryClientProvider client={client}>
          <Notices />
          <RouterProvider router={router} />
          <Reentry />
        </QueryClientProvider>
      </MantineProvider>
    </DirectionProvider>
  )
}

const ReenterDialog = lazy(async (): Promise<{ default: () => ReactNode }> => {
  try {
    const [{ ReenterDialog: Opened }] = await Promise.all([import('./modules/workspaces/reenter-dialog.tsx'), loadTexts()])
    return { default: Opened }
  } catch {
    // Callers that wait learn that nobody signed in, and the page stays as it is.
    reentered(false)
    return { default: () => null }
  }
})

function Reentry() {
  return <Suspense>{useReentering() && <ReenterDialog />}</Suspense>
}

// Every page of a workspace begins with it: it is on its way while the first frame is made.
if (location.pathname.startsWith('/w/')) void client.prefetchQuery(ME_QUERY)

const root = document.getElementById('root')
const render = () =>
  root &&
  createRoot(root).render(
    <StrictMode>
      <App />
    </StrictMode>,
  )
// For readers of Arabic the page waits for the texts of the frame; where they cannot be loaded it is in English.
void loadTexts().then(render, render)
