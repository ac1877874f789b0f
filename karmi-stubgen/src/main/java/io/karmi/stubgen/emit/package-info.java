/**
 * Generator of the class files of stubs and skeletons.
 *
 * <p>{@link Emitter} turns a {@link io.karmi.stubgen.model.RemoteModel} into three kinds of
 * classes: a stub; classes that hold the arguments of one call, one per list of parameter kinds;
 * and a skeleton. They call the runtime by names ({@code RuntimeNames}), so that this module does
 * not depend on it.
 *
 * <p>The same classes come out ahead of time (karmic) and at run time. Their names follow from the
 * interfaces alone ({@link GeneratedNames}), so that a runtime finds what karmic has made.
 */
@NullMarked
package io.karmi.stubgen.emit;

import org.jspecify.annotations.NullMarked;
