import { DerivedKeysSection } from './derived-keys-section.tsx'
import { IdentityKeysSection } from './identity-keys-section.tsx'
import { LinkSchemesSection } from './link-schemes-section.tsx'
import { SwitchesSection } from './switches-section.tsx'
import { VerificationSection } from './verification-section.tsx'

/** What guards people and content beyond the documents, and who is believed. */
export function ProtectionTab() {
  return (
    <>
      <SwitchesSection />
      <LinkSchemesSection />
      <VerificationSection />
      <IdentityKeysSection />
      <DerivedKeysSection />
    </>
  )
}
