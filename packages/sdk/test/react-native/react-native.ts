/** What the snippet of docs/first-app.md takes from `react-native`: components by their names, and the app's state. */
import type { ReactNode } from 'react'

export const Text = 'Text' as unknown as (props: { onPress?: () => void; children?: ReactNode }) => ReactNode

type Listener = (state: 'active' | 'background' | 'inactive') => void
const listeners = new Set<Listener>()
export const AppState = {
  addEventListener(_: 'change', listener: Listener) {
    listeners.add(listener)
    return { remove: () => void listeners.delete(listener) }
  },
}
/** As the system does it. */
export const changeState: Listener = (state) => listeners.forEach((listener) => listener(state))
