// The buffers that a kernel is registered with, and where rows start in them.
#include "shared/layout.h"

#ifndef SEGSORT_USES
#error SEGSORT_USES is not defined
#endif

// SEGSORT_USES has a bit for each binding that the kernel is registered with; no other one is
// declared.
#ifndef SEGSORT_INPUT_ACCESS
#define SEGSORT_INPUT_ACCESS readonly
#endif
#if (SEGSORT_USES & (1 << SEGSORT_BINDING_KEYS)) != 0
layout(std430, binding = SEGSORT_BINDING_KEYS) SEGSORT_INPUT_ACCESS buffer SegsortKeys { uint keys[]; };
#endif
#if (SEGSORT_USES & (1 << SEGSORT_BINDING_VALUES)) != 0
layout(std430, binding = SEGSORT_BINDING_VALUES) SEGSORT_INPUT_ACCESS buffer SegsortValues { uint values[]; };
#endif
#if (SEGSORT_USES & (1 << SEGSORT_BINDING_OUTPUT_KEYS)) != 0
layout(std430, binding = SEGSORT_BINDING_OUTPUT_KEYS) buffer SegsortOutputKeys { uint output_keys[]; };
#endif
#if (SEGSORT_USES & (1 << SEGSORT_BINDING_OUTPUT_VALUES)) != 0
layout(std430, binding = SEGSORT_BINDING_OUTPUT_VALUES) buffer SegsortOutputValues { uint output_values[]; };
#endif
#if (SEGSORT_USES & (1 << SEGSORT_BINDING_TABLE)) != 0
#ifndef SEGSORT_TABLE_ACCESS
#define SEGSORT_TABLE_ACCESS readonly
#endif
layout(std430, binding = SEGSORT_BINDING_TABLE) SEGSORT_TABLE_ACCESS buffer SegsortTable { uint table[]; };
#endif
#if (SEGSORT_USES & (1 << SEGSORT_BINDING_WORK)) != 0
layout(std430, binding = SEGSORT_BINDING_WORK) buffer SegsortWork { uint work[]; };
#endif

// Words from the start of each bound range to row 0. A range may start behind row 0: the sums wrap
// around to the right word.
layout(location = SEGSORT_LOCATION_VIEW_WORD) uniform uvec4 view_word[SEGSORT_VIEW_WORDS / 4];
