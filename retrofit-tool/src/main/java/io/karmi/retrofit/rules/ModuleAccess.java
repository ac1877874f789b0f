package io.karmi.retrofit.rules;

/**
 * A package of a JDK module that KaRMI accesses from the boot loader's unnamed module.
 *
 * @param packageName with dots
 * @param deep true to open it for reflection, false to export its public types
 */
public record ModuleAccess(String module, String packageName, boolean deep) {}
