import '@fontsource-variable/inter'
import '@fontsource-variable/noto-sans-arabic'
import '@mantine/core/styles.css'
import '@mantine/notifications/styles.css'
import './main.css'
import { DirectionProvider, MantineProvider } from '@mantine/core'
import { Notifications } from '@mantine/notifications'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { StrictMode, useEffect, useMemo } from 'react'
import { createRoot } from 'react-dom/client'
import { RouterProvider } from 'react-router'
import { ApiError, whenSignedOut } from './api.ts'
import { whenBack } from './away.ts'
import { loadTexts } from './i18n.ts'
import { router } from './router.tsx'
import { ME, ME_QUERY, onOtherTabSignedOut } from './session.tsx'
import { themeWith, variables } from './theme.ts'
import { useTexts } from './ui/texts.ts'

const client = new QueryClient({
  defaultOptions: {
    // Without a connection requests fail at once and say so, rather than wait in silence for one.
    mutations: { networkMode: 'always' },
    queries: {
      networkMode: 'always',
      staleTime: 5_000,
      // What the server refuses it will refuse again; whether it is away is said at once, and away.ts asks for it.
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
    whenSignedOut(leave)
    whenBack(() => void client.invalidateQueries())
    onOtherTabSignedOut(leave)
  }, [])
  return (
    <DirectionProvider>
      <MantineProvider theme={theme} cssVariablesResolver={variables} defaultColorScheme="auto">
        <QueryClientProvider client={client}>
          <Notifications position="bottom-right" />
          <RouterProvider router={router} />
        </QueryClientProvider>
      </MantineProvider>
    </DirectionProvider>
  )
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
// Whoever reads Arabic waits for what the frame says; where that cannot be loaded it is in English.
void loadTexts().then(render, render)
