/** 6.87. */
export const OUT_OF_MEMORY = 'OutOfMemoryError: Container killed due to memory usage';
