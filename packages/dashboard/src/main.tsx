import './ui/theme.css'
import './ui/base.css'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { SCREENS } from './screens/routes.ts'
import { App } from './shell/app.tsx'
import { reloadWhenReplaced } from './shell/newer-pages.ts'
import { screenAt, ScreensContext } from './shell/screen.ts'

reloadWhenReplaced()
// While the session is asked for.
screenAt(SCREENS, location.pathname)?.component.preload()
createRoot(document.getElementById('root')!).render(
  <StrictMode>
    <ScreensContext value={SCREENS}>
      <App />
    </ScreensContext>
  </StrictMode>,
)
