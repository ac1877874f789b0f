/**
 * The third delivery: {@code -javaagent:karmi.jar}, {@code Launcher-Agent-Class}, or attached to a
 * running JVM.
 *
 * <p>KaRMI's jar goes on the boot class path, the one place where every class loader looks, so that
 * no class of KaRMI is loaded twice. Classes of the application are rewired while they are loaded;
 * the entry points of java.rmi also when they are loaded already. A class that cannot be rewired is
 * loaded as it is.
 *
 * <p>This code runs inside class loading: it uses no lambdas and no logging framework, which would
 * load classes and read configuration before the application can set either up.
 */
@NullMarked
package io.karmi.retrofit.agent;

import org.jspecify.annotations.NullMarked;
