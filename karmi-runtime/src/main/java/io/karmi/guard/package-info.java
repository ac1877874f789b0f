/**
 * Limits of what peers make this node hold and do: amounts in a {@link io.karmi.guard.Ledger},
 * amounts a second in {@link io.karmi.guard.HostRates}. docs/limits.md lists what is counted.
 */
@NullMarked
package io.karmi.guard;

import org.jspecify.annotations.NullMarked;
