import './ui/theme.css'
import './ui/base.css'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { SCREENS } from './screens/routes.ts'
import { App } from './shell/app.tsx'
import { reloadWhenReplaced } from './shell/newer-pages.ts'
import { ScreensContext } from './shell/screen.ts'

reloadWhenReplaced()
createRoot(document.getElementById('root')!).render(
  <StrictMode>
    <ScreensContext value={SCREENS}>
      <App />
    </ScreensContext>
  </StrictMode>,
)
