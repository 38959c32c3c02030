import { DerivedKeysSection } from './derived-keys-section.tsx'
import { SwitchesSection } from './switches-section.tsx'

/** What guards people and content beyond the documents, and who is believed. */
export function ProtectionTab() {
  return (
    <>
      <SwitchesSection />
      <DerivedKeysSection />
    </>
  )
}
