/** The JMX connector between JVMs, compared with the JDK's. */
package io.karmi.jmx;
