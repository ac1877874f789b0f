/**
 * What every technology passes.
 *
 * <p>{@link io.karmi.contract.TechnologyContract} says in tests what the runtime relies on. A
 * technology extends it in its own tests and opens itself there. {@link io.karmi.contract.Callee}
 * stands in for the runtime above.
 */
@NullMarked
package io.karmi.contract;

import org.jspecify.annotations.NullMarked;
