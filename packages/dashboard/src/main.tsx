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
import { router } from './router.tsx'
import { ME, onOtherTabSignedOut } from './session.tsx'
import { themeWith, variables } from './theme.ts'
import { useTexts } from './ui/texts.ts'

const client = new QueryClient({
  defaultOptions: {
    // Without a connection requests fail at once and say so, rather than wait in silence for one.
    mutations: { networkMode: 'always' },
    queries: {
      networkMode: 'always',
      staleTime: 5_000,
      // What the server refuses it will refuse again; what was not reached may be back in a moment.
      retry: (failures, error) => failures < 2 && !(error instanceof ApiError && error.status >= 400 && error.status < 500),
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

const root = document.getElementById('root')
if (root)
  createRoot(root).render(
    <StrictMode>
      <App />
    </StrictMode>,
  )
