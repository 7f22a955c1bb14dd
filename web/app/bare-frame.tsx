import { Outlet } from 'react-router'

/** Pages that bring their own frame. */
export function BareFrame() {
  return (
    <main id="main">
      <Outlet />
      <div id="floating" />
    </main>
  )
}
