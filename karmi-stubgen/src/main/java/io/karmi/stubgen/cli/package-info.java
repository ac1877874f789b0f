/**
 * karmic: writes stubs and skeletons ahead of time.
 *
 * <p>{@link Karmic} reads its arguments and reports; {@link StubCompiler} does the work. A runtime
 * that finds the classes on its class path uses them and generates nothing.
 */
@NullMarked
package io.karmi.stubgen.cli;

import org.jspecify.annotations.NullMarked;
