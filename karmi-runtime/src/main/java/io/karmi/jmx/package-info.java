/**
 * A connector of JMX whose calls go over KaRMI: {@code service:jmx:karmi://host:port/name}.
 *
 * <p>It is the JDK's own {@code rmi} connector with another transport. The JDK's public classes do
 * the work of JMX ({@link javax.management.remote.rmi.RMIConnectorServer}, {@link
 * javax.management.remote.rmi.RMIServerImpl}, {@link javax.management.remote.rmi.RMIConnector});
 * this package exports their remote objects on KaRMI and finds them by name. JMX finds the package
 * by its two providers, which {@code META-INF/services} names. The {@code rmi} connector stays as
 * it is.
 *
 * <p>An address that is none of this protocol is a {@link java.net.MalformedURLException}; a server
 * that cannot be reached, or a name that is not bound, an {@link java.io.IOException} of {@code
 * connect}.
 */
@NullMarked
package io.karmi.jmx;

import org.jspecify.annotations.NullMarked;
