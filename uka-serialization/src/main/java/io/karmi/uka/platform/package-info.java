/**
 * Access to what the JVM offers to a serialization library beyond plain Java, each in one place.
 *
 * <p>Both Unsafe classes, the hooks of {@code sun.reflect.ReflectionFactory}, bulk copies of
 * arrays, the bytes of strings, constructors of records, instances without a constructor. Each
 * works on every JDK from 17 on, prints no warning, and is looked up once per JVM.
 *
 * <p>Nothing here knows streams, formats or descriptions of classes.
 */
@NullMarked
package io.karmi.uka.platform;

import org.jspecify.annotations.NullMarked;
