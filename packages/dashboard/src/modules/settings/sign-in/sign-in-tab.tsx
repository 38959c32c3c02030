import { SecondFactorSection } from './second-factor-section.tsx'

/** How members of the workspace sign in. */
export function SignInTab() {
  return <SecondFactorSection />
}
