import '@fontsource-variable/inter/wght.css'
import '@fontsource-variable/noto-sans-arabic/wght.css'
import '@contentflow/sdk/react/styles.css'
import './styles/page.css'
import './styles/chrome.css'
import './styles/pages.css'
import './styles/dialogs.css'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { Start } from './start.tsx'

const root = document.getElementById('root')
if (root) {
  createRoot(root).render(
    <StrictMode>
      <Start />
    </StrictMode>,
  )
}
