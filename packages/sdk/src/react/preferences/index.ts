export { PreferenceCentre } from './preference-centre.tsx'
export {
  usePreferences,
  type PreferenceChange,
  type PreferenceChannel,
  type PreferenceChoice,
  type Preferences,
  type PreferencesState,
  type WeeklyLimit,
} from './use-preferences.ts'
