import { useMediaQuery } from '@mantine/hooks'

/** Up to 48em, where tables become lists. */
export const usePhone = (): boolean => useMediaQuery('(max-width: 48em)', false, { getInitialValueInEffect: false })
